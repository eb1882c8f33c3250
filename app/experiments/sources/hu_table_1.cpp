// Hu et al. 2015, Table I: builds of three-dimensional points.

#include "app/experiments/hu_2015.hpp"

namespace kdscope {

Experiment hu_table_1_experiment() {
  return hu_2015::table("hu-table-1", "Table I", "build times of points in 3 dimensions, CPU and GPU", 3,
                        {{{3'200, "12.6", "4.6"},
                          {6'400, "25.4", "7.2"},
                          {12'800, "53.6", "8.2"},
                          {25'600, "111.3", "8.8"},
                          {51'200, "232.9", "12.4"},
                          {102'400, "488.8", "20.2"}}});
}

}  // namespace kdscope
