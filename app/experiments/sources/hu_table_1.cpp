// Hu et al. 2015, Table I: builds and searches of three-dimensional points.

#include "app/experiments/hu_2015.hpp"

namespace kdscope::hu_table_1 {

Experiment declare() {
  Experiment made =
      hu_2015::table("hu-table-1", "Table I", "times of builds and searches of points in 3 dimensions, CPU and GPU", 3,
                     {{{3'200, {"12.6", "4.6", "2.7"}, {"140.9", "1.4", "57.7"}},
                       {6'400, {"25.4", "7.2", "3.5"}, {"292.2", "2.5", "118.3"}},
                       {12'800, {"53.6", "8.2", "6.5"}, {"616.7", "4.7", "130.3"}},
                       {25'600, {"111.3", "8.8", "12.7"}, {"1291.7", "8.0", "161.7"}},
                       {51'200, {"232.9", "12.4", "18.8"}, {"2894.2", "15.3", "188.8"}},
                       {102'400, {"488.8", "20.2", "24.2"}, {"6615.4", "30.3", "218.0"}}}});
  made.spec.notes += " The first speedup of a search is printed as 57.7; the printed times give 100.6.";
  return made;
}

}  // namespace kdscope::hu_table_1
