#include "app/arguments/run_arguments.hpp"

namespace kdscope {

Option algorithm_option(const std::string& standard) {
  return {
      "--algorithm", "ID",
      "What to run; `kdscope-cli list algorithms` names them all with their parameters. Default: " + standard + "."};
}

Option data_option(bool required) {
  return {"--data", "SPEC",
          "The points or triangles: a shipped set (wald-10, bunny), a scene (toys:frame=20), a generator with its "
          "parameters (uniform:n=1000000,dim=3,seed=7,type=float), or a file (CSV, XYZ, NPY, PCD, PLY, OBJ, STL), with "
          "or without what says how to read it (scan.csv:columns=x,y,z,type=float,shift=auto). `kdscope-cli list "
          "datasets` names them all.",
          required};
}

Option backend_option() {
  return {"--backend", "NAME", "auto (a GPU if there is one, else the CPU), cpu or cuda. Default: auto."};
}

Option parameter_option() {
  return {"--param", "NAME=VALUE", "A parameter of the algorithm, such as sort=bitonic.", false, true};
}

Result<std::map<std::string, std::string>> parameters_from(const Arguments& arguments) {
  return arguments.named_values("--param", "sort=bitonic");
}

}  // namespace kdscope
