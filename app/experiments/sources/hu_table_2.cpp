// Hu et al. 2015, Table II: builds of points in 512 dimensions.

#include "app/experiments/hu_2015.hpp"

namespace kdscope {

Experiment hu_table_2_experiment() {
  Experiment made =
      hu_2015::table("hu-table-2", "Table II", "build times of points in 512 dimensions, CPU and GPU", 512,
                     {{{3'200, "818.2", "247.9"},
                       {6'400, "1640.7", "315.5"},
                       {12'800, "3286.9", "405.8"},
                       {25'600, "6595.8", "519.4"},
                       {51'200, "13225.2", "760.1"},
                       {102'400, "26727.6", "876.3"}}});
  made.spec.usual_max_n_on_cpu = 12'800;
  return made;
}

}  // namespace kdscope
