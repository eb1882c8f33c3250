#include "app/appearance/value_table.hpp"

#include <QHeaderView>
#include <QScrollBar>

namespace kdscope {

QTableWidget* value_table(const FieldText& text) {
  auto* table = named(new QTableWidget, text);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setTabKeyNavigation(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (QHeaderView* header : {table->horizontalHeader(), table->verticalHeader()})
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->verticalHeader()->hide();
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the page scrolls
  return table;
}

void put_texts(QTableWidget& table, int row, const QStringList& texts, int left) {
  for (int column = 0; column < texts.size(); ++column) {
    auto* cell = new QTableWidgetItem(texts[column]);
    cell->setTextAlignment((column == left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    table.setItem(row, column, cell);
  }
}

void fit_height(QTableWidget& table) {
  table.resizeRowsToContents();
  int height = table.horizontalHeader()->sizeHint().height() + table.horizontalScrollBar()->sizeHint().height() +
               2 * table.frameWidth();
  for (int row = 0; row < table.rowCount(); ++row) height += table.rowHeight(row);
  table.setFixedHeight(height);
}

}  // namespace kdscope
