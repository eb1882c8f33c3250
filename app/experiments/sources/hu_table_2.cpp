// Hu et al. 2015, Table II: builds and searches of points in 512 dimensions.

#include "app/experiments/hu_2015.hpp"

namespace kdscope::hu_table_2 {

Experiment declare() {
  Experiment made = hu_2015::table("hu-table-2", "Table II",
                                   "times of builds and searches of points in 512 dimensions, CPU and GPU", 512,
                                   {{{3'200, {"818.2", "247.9", "3.3"}, {"428.7", "3.9", "109.9"}},
                                     {6'400, {"1640.7", "315.5", "5.2"}, {"893.8", "6.7", "133.4"}},
                                     {12'800, {"3286.9", "405.8", "8.1"}, {"1864.8", "13.9", "134.2"}},
                                     {25'600, {"6595.8", "519.4", "12.7"}, {"3902.5", "20.8", "187.6"}},
                                     {51'200, {"13225.2", "760.1", "17.4"}, {"8221.7", "41.1", "200.0"}},
                                     {102'400, {"26727.6", "876.3", "30.5"}, {"17621.8", "72.8", "242.1"}}}});
  made.spec.usual_max_n_on_cpu = 12'800;
  return made;
}

}  // namespace kdscope::hu_table_2
