#pragma once
// Tables of values on a page that scrolls: to be read, and as high as their rows.

#include <QStringList>
#include <QTableWidget>

#include "app/appearance/form_field.hpp"

namespace kdscope {

/// An empty table with numbers on the right.
QTableWidget* value_table(const FieldText& text);

/// Writes a row, with the texts of column `left` on the left.
void put_texts(QTableWidget& table, int row, const QStringList& texts, int left = 0);

/// Makes the table as high as its rows.
void fit_height(QTableWidget& table);

}  // namespace kdscope
