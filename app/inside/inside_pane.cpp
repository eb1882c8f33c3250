#include "app/inside/inside_pane.hpp"

#include <QProgressBar>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/quantities.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"

namespace kdscope {
namespace {

using namespace access_log;

}  // namespace

InsidePane::InsidePane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      stack_(new QStackedWidget),
      message_(text_line({"inside_message"})),
      place_(text_line({"inside_place"}, false)),
      what_(text_line({"inside_access"})),
      left_out_(text_line({"inside_left_out"})),
      sheet_(new LaneSheet(workbench)),
      banks_(new SharedBanks(workbench)),
      across_(new QSplitter(Qt::Horizontal)),
      down_(new QSplitter(Qt::Vertical)),
      lists_(new InsideLists(workbench)) {
  setAccessibleName(tr("Inside"));
  // What it shows must not move the other docks
  setMinimumSize(160, 120);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(8, 2, 8, 2);
  column->addWidget(make_head());
  column->addWidget(left_out_);
  down_->addWidget(sheet_);
  shared_ = make_shared_memory();
  down_->addWidget(shared_);
  down_->setStretchFactor(0, 1);  // room goes to the lanes first
  down_->setChildrenCollapsible(false);
  across_->addWidget(down_);
  across_->addWidget(lists_);
  across_->setStretchFactor(0, 3);
  across_->setStretchFactor(1, 1);
  across_->setChildrenCollapsible(false);
  across_->setSizes({640, 360});
  column->addWidget(across_, 1);
  column->addWidget(make_foot());
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(stack_);
  stack_->addWidget(make_empty_page());
  stack_->addWidget(page);

  connect(lists_, &InsideLists::line_chosen, sheet_, &LaneSheet::mark_line);
  connect(sheet_, &LaneSheet::asks_for_writer, this, &InsidePane::go_to_writer);
  connect(sheet_, &LaneSheet::asks_for_reader, this, &InsidePane::go_to_reader);
  connect(banks_, &SharedBanks::chosen, this, [this](std::uint32_t array, std::uint64_t element) {
    const Stretch& at = workbench_.inside().walk().stretch();
    const WatchedArray& info = workbench_.inside().look().recording().arrays[array];
    chosen_ = Element{array, at.launch, at.group, static_cast<std::int64_t>(element * info.element_bytes),
                      info.element_bytes};
    what_->setText(banks_->text_of(array, element));
  });
  // A cell of the arrays is asked about as well
  connect(&workbench.playback(), &Playback::cell_clicked, this,
          [this](Space, const std::string& row, std::uint64_t index) {
            clicked_ = OlderWrite{workbench_.playback().step(), row, index};
            choose_element(row, index);
          });
  connect(&workbench.playback(), &Playback::opened, this, [this] { clicked_.reset(); });
  Inside& inside = workbench.inside();
  connect(&inside, &Inside::said, this, [this] {
    if (!workbench_.inside().is_open()) show_look();
  });
  connect(&inside, &Inside::opened, this, &InsidePane::show_look);
  connect(&inside, &Inside::closed, this, &InsidePane::show_look);
  // The writer that was asked for in another step; after the place of the open look is shown
  connect(&inside, &Inside::opened, this, &InsidePane::take_wanted, Qt::QueuedConnection);
  connect(&inside, &Inside::moved, this, &InsidePane::show_place);
  connect(&workbench.playback(), &Playback::stepped, this, [this] {
    if (!workbench_.inside().is_open()) show_look();
  });
  new Curtain(this, workbench, [](const Concealment& concealed, const Trace&) { return concealed.hides_values(); });
  when_restyled(*this, workbench, [this] { restyle(); });
  restyle();
  show_look();
  show_place();  // a look may be open already
}

void InsidePane::choose_element(const std::string& row, std::uint64_t index) {
  const auto array = workbench_.inside().array_of_row(row);
  if (!array) return;
  const ArrayInfo& info = workbench_.playback().trace()->find(row)->info;
  const std::uint32_t bytes = workbench_.inside().look().recording().arrays[*array].element_bytes;
  chosen_ = Element{*array, 0, 0, static_cast<std::int64_t>(index * info.components * bytes), bytes * info.components};
  older_.reset();
  what_->setText(tr("%1[%2] is chosen: ask who wrote it.").arg(foreign_text(row)).arg(index));
}

void InsidePane::list_accesses() {
  if (const auto element = asked_element()) list_accesses(workbench_.inside().look().recording(), *element);
}

void InsidePane::list_accesses(const LaunchRecording& recording, const Element& element) {
  const WatchedArray& array = recording.arrays[element.array];
  NamedElements elements{array.name, element.offset / static_cast<std::int64_t>(array.element_bytes),
                         std::max(1u, element.bytes / array.element_bytes)};
  if (array.shared) elements.group = element.group;
  lists_->history().show_elements(elements, QStringLiteral("%1[%2]").arg(foreign_text(array.name)).arg(elements.index));
}

void InsidePane::show_original(std::uint32_t step, const OriginalBeside& original) {
  lists_->history().keep_original(step, original);
  if (step == workbench_.playback().step()) go_to_first_difference();
}

void InsidePane::go_to_first_difference() {
  Inside& inside = workbench_.inside();
  const OriginalBeside* original = lists_->history().original();
  if (!inside.is_open() || !original || !original->first || lists_->history().differs()) return;
  const AccessPair& first = *original->first;
  const LaunchRecording& recording = first.variant ? inside.look().recording() : *original->recording;
  const Access& access = recording.accesses[first.variant ? *first.variant : *first.original];
  list_accesses(recording, element_of(access));
  if (first.variant) return inside.go_to_access(*first.variant);
  inside.go_to({access.launch, access.group, access.interval, access.lane});
  what_->setText(tr("In the original, %1 (%2); in the variant, nobody does.")
                     .arg(foreign_text(recording.deed_of(access)), foreign_text(recording.place_of(access))));
}

std::optional<InsidePane::OlderWrite> InsidePane::wrong_element() const {
  const Playback& playback = workbench_.playback();
  const auto element_of = [&](std::uint64_t number) -> std::optional<OlderWrite> {
    const Change change = playback.changes().at(number);
    if (change.array.empty()) return std::nullopt;  // a node of the tree
    return OlderWrite{playback.step(), change.array, change.index};
  };
  if (playback.change()) return element_of(*playback.change());
  if (clicked_ && clicked_->step == playback.step() && !clicked_->row.empty()) return clicked_;
  if (playback.place().baseline.with != ComparedWith::other_run || playback.changes().size() == 0) return std::nullopt;
  return element_of(0);
}

void InsidePane::ask_for_writer() {
  Inside& inside = workbench_.inside();
  if (!workbench_.playback().cursor()) return;
  wanted_ = wrong_element();
  if (!inside.is_open()) {
    inside.ask();
    if (!wanted_)
      inside.say(
          tr("Choose an element of the arrays first, or go to a change (F8): then this leads to the access that "
             "wrote it."));
    return;
  }
  if (wanted_) return take_wanted();
  list_accesses();
  go_to_writer();
  lists_->show_history();
}

void InsidePane::take_wanted() {
  const auto wanted = std::exchange(wanted_, std::nullopt);
  const Inside& inside = workbench_.inside();
  if (!wanted || !inside.is_open() || wanted->step != workbench_.playback().step() || inside.walk().empty()) return;
  choose_element(wanted->row, wanted->index);
  if (chosen_) {
    list_accesses();
    go_to_writer();
  } else {
    lists_->history().clear();
    what_->setText(tr("No kernel of this step accesses an array that is the row %1.").arg(foreign_text(wanted->row)));
  }
  lists_->show_history();
  if (lists_->history().misses_original()) return emit original_wanted();
  go_to_first_difference();
}

void InsidePane::show_to_audience() {
  for_audience_ = true;
  for (QWidget* control :
       std::initializer_list<QWidget*>{head_, colour_, start_, record_block_, writer_, reader_, lists_})
    control->hide();
  sheet_->show_to_audience();
  banks_->show_to_audience();
  down_->setHandleWidth(0);  // nobody drags it
  connect(sheet_, &LaneSheet::fitted, this, &InsidePane::show_place_text);
  share_height();
}

void InsidePane::share_height() {
  if (!for_audience_ || !shared_->isVisibleTo(this)) return;
  const int all = down_->height() - down_->handleWidth();
  const int wanted = banks_->wanted_height() + shared_->layout()->itemAt(0)->sizeHint().height() + 6;
  const int shared = std::min(wanted, std::max(all * 2 / 5, all - sheet_->wanted_height()));
  down_->setSizes({all - shared, shared});
}

/// Where the place is, in which line, and what an audience does not see of it.
void InsidePane::show_place_text() {
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty()) return;
  QStringList texts{inside.place_text()};
  if (const auto line = inside.line())
    texts << QStringLiteral("%1:%2").arg(foreign_text(line->file.substr(line->file.rfind('/') + 1))).arg(line->line);
  if (const QString cut = sheet_->cut_text(); !cut.isEmpty()) texts << cut;
  const QString gap = QStringLiteral("   ");
  // In front of an audience rather without the line than cut
  if (for_audience_ && inside.line() && place_->fontMetrics().horizontalAdvance(texts.join(gap)) > width())
    texts.removeAt(1);
  place_->setText(texts.join(gap));
}

/// Without a look: a message, and the button or the progress.
QWidget* InsidePane::make_empty_page() {
  auto* empty = new QWidget;
  empty->setAccessibleName(tr("Inside a launch"));
  auto* empty_column = new QVBoxLayout(scrolling_page(*empty));
  start_ = button({"look_inside_button", tr("Look inside this step"), tr("Shift+I, or Enter at a step")},
                  [this] { workbench_.inside().ask(); });
  empty_column->addStretch(1);
  empty_column->addWidget(message_);
  empty_column->addWidget(start_, 0, Qt::AlignHCenter);
  auto* progress = named(new QProgressBar, {"inside_progress", tr("Progress")});
  auto* cancel = button({"inside_cancel", tr("Cancel")}, [this] { workbench_.jobs().cancel(); });
  progress->setRange(0, 100);
  for (QWidget* part : {static_cast<QWidget*>(progress), static_cast<QWidget*>(cancel)}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // work elsewhere in the window moves nothing here
    part->setSizePolicy(policy);
    part->hide();
    empty_column->addWidget(part, 0, Qt::AlignHCenter);
  }
  empty_column->addStretch(2);
  connect(&workbench_.jobs(), &Jobs::progressed, this, [progress](double fraction, const QString& what) {
    progress->setRange(0, fraction > 0 ? 100 : 0);  // a compiler does not report how far it is
    progress->setValue(static_cast<int>(100 * fraction));
    progress->setToolTip(what);
  });
  connect(&workbench_.jobs(), &Jobs::busy_changed, this, [this, progress, cancel] {
    const bool busy = workbench_.jobs().busy();
    progress->setValue(0);
    const bool own = busy && !workbench_.inside().message().isEmpty();
    progress->setVisible(own);
    cancel->setVisible(own && !for_audience_);
    start_->setEnabled(!busy);
  });
  message_->setAlignment(Qt::AlignHCenter);
  return empty;
}

QWidget* InsidePane::make_shared_memory() {
  auto* page = new QWidget;
  auto* shared_column = new QVBoxLayout(page);
  shared_column->setContentsMargins(0, 0, 0, 0);
  shared_column->setSpacing(0);
  auto* shared_row = new QHBoxLayout;
  colour_ = choice(new QComboBox, {"inside_colour", tr("Colour of shared memory")},
                   {{tr("Colour by writing lane"), static_cast<int>(WriterColour::lane)},
                    {tr("Colour by writing warp"), static_cast<int>(WriterColour::warp)},
                    {tr("Colour by writing interval"), static_cast<int>(WriterColour::interval)}},
                   [this] { banks_->set_colour(static_cast<WriterColour>(colour_->currentData().toInt())); });
  shared_row->addWidget(text_line({""}, false));
  static_cast<QLabel*>(shared_row->itemAt(0)->widget())->setText(tr("Shared memory by banks"));
  shared_row->addStretch(1);
  shared_row->addWidget(colour_);
  shared_column->addLayout(shared_row);
  shared_column->addWidget(banks_, 1);
  return page;
}

QWidget* InsidePane::make_head() {
  head_ = new QWidget;
  auto* row = new QHBoxLayout(head_);
  row->setContentsMargins(0, 0, 0, 0);
  launch_ = named(new QComboBox, {"inside_launch", tr("Launch of the step")});
  launch_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  launch_->setMinimumWidth(120);
  block_ = named(new QSpinBox, {"inside_block", tr("Block"), tr("The block or warp; Ctrl+Left and Ctrl+Right")});
  blocks_ = text_line({"inside_blocks"}, false);
  block_->setKeyboardTracking(false);
  block_->setFocusPolicy(Qt::ClickFocus);
  row->addWidget(launch_);
  row->addWidget(block_);
  row->addWidget(blocks_);
  row->addStretch(1);
  const QString names[] = {tr("By interval"), tr("By lane"), tr("By access")};
  const QString tips[] = {tr("Left and Right walk intervals, Ctrl+Left and Ctrl+Right blocks"),
                          tr("Left and Right walk lanes, Ctrl+Left and Ctrl+Right intervals (Enter, Escape)"),
                          tr("Left and Right walk accesses, Ctrl+Left and Ctrl+Right lanes (Enter, Escape)")};
  const char* keys[] = {"inside_by_interval", "inside_by_lane", "inside_by_access"};
  for (std::size_t depth = 0; depth < depths_.size(); ++depth) {
    depths_[depth] = button<QToolButton>({keys[depth], names[depth], tips[depth]}, [this, depth] {
      workbench_.inside().set_depth(static_cast<Depth>(depth));
      show_place();
    });
    depths_[depth]->setCheckable(true);
    depths_[depth]->setFocusPolicy(Qt::NoFocus);
    row->addWidget(depths_[depth]);
  }
  connect(launch_, &QComboBox::currentIndexChanged, this, [this] {
    if (!filling_ && launch_->currentIndex() >= 0)
      workbench_.inside().go_to_stretch(launch_->currentData().toULongLong());
  });
  connect(block_, &QSpinBox::valueChanged, this, &InsidePane::choose_block);
  return head_;
}

QWidget* InsidePane::make_foot() {
  auto* foot = new QWidget;
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  auto* texts = new QVBoxLayout;
  texts->addWidget(place_);
  texts->addWidget(what_);
  row->addLayout(texts, 1);
  record_block_ = button({"inside_record_block", tr("Record this block alone"),
                          tr("Records the step again, so that the budget goes to one block")},
                         [this] {
                           const std::uint32_t group = workbench_.inside().walk().stretch().group;
                           workbench_.inside().ask_for_groups({group, group + 1});
                         });
  writer_ = button({"inside_writer", tr("&Who wrote this?"), tr("W in the sheet")}, [this] { go_to_writer(); });
  reader_ = button({"inside_reader", tr("Who &reads it next?"), tr("R in the sheet")}, [this] { go_to_reader(); });
  for (QPushButton* each : {record_block_, writer_, reader_}) {
    each->setFocusPolicy(Qt::TabFocus);
    row->addWidget(each);
  }
  return foot;
}

void InsidePane::show_message(const QString& text) {
  const Inside& inside = workbench_.inside();
  stack_->setCurrentIndex(0);
  message_->setText(inside.message().isEmpty() ? text : inside.message());
  QPalette palette;
  if (inside.has_failed() && !inside.message().isEmpty())
    palette.setColor(message_->foregroundRole(), colour(theme_of(workbench_.looks().appearance()).failed));
  message_->setPalette(palette);
}

void InsidePane::show_look() {
  Inside& inside = workbench_.inside();
  chosen_.reset();
  lists_->show_look();
  start_->setVisible(workbench_.playback().cursor() && !for_audience_);
  if (!inside.is_open()) {
    sheet_->show_place();
    banks_->show_place();
    return show_message(
        workbench_.playback().cursor()
            ? tr("See what every lane of this step's kernels reads and writes, in the order in which it "
                 "does, with shared memory, votes and barriers.")
            : tr("Open a run to look inside its steps."));
  }
  const LaunchRecording& recording = inside.look().recording();
  if (inside.walk().empty())
    return show_message(recording.launches.empty()
                            ? tr("This step launches no kernel.")
                            : tr("A library does the work of this step; its sorts and scans are not looked into."));
  stack_->setCurrentIndex(1);
  filling_ = true;
  launch_->clear();
  for (std::size_t i = 0; i < inside.walk().stretches().size(); ++i) {
    const std::uint32_t launch = inside.walk().stretches()[i].launch;
    if (i == 0 || inside.walk().stretches()[i - 1].launch != launch)
      launch_->addItem(foreign_text(recording.text_of_launch(launch)), QVariant::fromValue<qulonglong>(i));
  }
  filling_ = false;
  std::uint64_t left_out = 0;
  for (const Launch& launch : recording.launches) left_out += launch.left_out;
  QString note;
  if (left_out > 0)
    note = tr("The recording holds %1 accesses; %2 more were left out, so the last block and those behind it are "
              "incomplete.")
               .arg(thousands(recording.accesses.size()), thousands(left_out));
  if (!inside.look().look.crash.empty())
    note += tr(" The run ended within this step: %1").arg(foreign_text(inside.look().look.crash));
  left_out_->setText(note.trimmed());
  left_out_->setVisible(!note.isEmpty());
  record_block_->setVisible(left_out > 0 && !for_audience_);
}

void InsidePane::show_place() {
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty()) return;
  const LaunchWalk& walk = inside.walk();
  const LaunchRecording& recording = walk.recording();
  const Stretch& at = walk.stretch();
  const Launch& launch = recording.launches[at.launch];
  chosen_.reset();
  older_.reset();
  sheet_->show_place();
  banks_->show_place();
  shared_->setVisible(banks_->has_arrays());
  filling_ = true;
  for (int i = 0; i < launch_->count(); ++i)
    if (walk.stretches()[launch_->itemData(i).toULongLong()].launch == at.launch) launch_->setCurrentIndex(i);
  const bool groups = launch.kind == LaunchKind::blocks || launch.kind == LaunchKind::warps;
  block_->setVisible(groups);
  blocks_->setVisible(groups);
  block_->setRange(0, static_cast<int>(std::min(launch.groups, 0x7fffffffu)) - 1);
  block_->setPrefix(QLatin1String(recording.group_word(at.launch)) + QLatin1Char(' '));
  block_->setValue(static_cast<int>(at.group));
  blocks_->setText(tr("of %1").arg(thousands(launch.groups)));
  filling_ = false;
  for (std::size_t depth = 0; depth < depths_.size(); ++depth)
    depths_[depth]->setChecked(depth == static_cast<std::size_t>(walk.depth()));
  lists_->show_intervals();
  share_height();
  show_place_text();
  what_->setText(inside.access_text());
}

void InsidePane::choose_block(int block) {
  if (filling_ || !workbench_.inside().is_open()) return;
  const LaunchWalk& walk = workbench_.inside().walk();
  const auto found = std::ranges::find_if(walk.stretches(), [&](const Stretch& each) {
    return each.launch == walk.stretch().launch && each.group == static_cast<std::uint32_t>(block);
  });
  if (found == walk.stretches().end()) {
    show_place();
    return what_->setText(tr("The recording does not hold %1 %2.")
                              .arg(QLatin1String(walk.recording().group_word(walk.stretch().launch)))
                              .arg(block));
  }
  workbench_.inside().go_to_stretch(static_cast<std::size_t>(found - walk.stretches().begin()));
}

std::optional<Element> InsidePane::asked_element() const {
  if (chosen_) return chosen_;
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty() || !inside.walk().access()) return std::nullopt;
  return element_of(inside.walk().recording().accesses[*inside.walk().access()]);
}

void InsidePane::go_to_writer() {
  if (older_) {
    wanted_ = std::exchange(older_, std::nullopt);
    return workbench_.playback().seek(wanted_->step, [this] { workbench_.inside().ask(); });
  }
  const auto element = asked_element();
  if (!element) return what_->setText(tr("Choose an access, or an element of shared memory or of the arrays."));
  const LaunchWalk& walk = workbench_.inside().walk();
  // What is chosen in shared memory holds what the place left; a row of the arrays holds what the step left
  const bool shared = walk.recording().arrays[element->array].shared;
  std::size_t before = walk.access().value_or(walk.stretch().end);
  if (chosen_)
    before = !shared ? walk.recording().accesses.size() : walk.access() ? *walk.access() + 1 : walk.stretch().end;
  report_search(writer_before(walk.recording(), *element, before), true);
}

void InsidePane::go_to_reader() {
  const auto element = asked_element();
  if (!element) return what_->setText(tr("Choose an access, or an element of shared memory or of the arrays."));
  const LaunchWalk& walk = workbench_.inside().walk();
  report_search(reader_from(walk.recording(), *element, walk.access() ? *walk.access() + 1 : walk.stretch().end),
                false);
}

std::optional<InsidePane::OlderWrite> InsidePane::older_write(const Element& element) const {
  const Inside& inside = workbench_.inside();
  const Trace& trace = *workbench_.playback().trace();
  for (const Trace::Array& row : trace.arrays) {
    if (inside.array_of_row(row.info.name) != element.array) continue;
    const std::uint64_t bytes = std::uint64_t{inside.look().recording().arrays[element.array].element_bytes} *
                                std::max(1u, row.info.components);
    for (std::uint32_t step = workbench_.playback().step(); step-- > 0;)
      if (std::ranges::find(trace.steps[step].wrote, row.info.name) != trace.steps[step].wrote.end())
        return OlderWrite{step, row.info.name, static_cast<std::uint64_t>(element.offset) / bytes};
    break;
  }
  return std::nullopt;
}

void InsidePane::report_search(std::optional<std::size_t> found, bool writer) {
  const LaunchRecording& recording = workbench_.inside().look().recording();
  const Element element = *asked_element();
  const QString name =
      QStringLiteral("%1[%2]")
          .arg(foreign_text(recording.arrays[element.array].name))
          .arg(element.offset / static_cast<std::int64_t>(recording.arrays[element.array].element_bytes));
  const bool cut = std::ranges::any_of(recording.launches, [](const Launch& each) { return each.left_out > 0; });
  if (!found) {
    QString text = writer
                       ? tr("Nothing that was recorded wrote %1 before; its value is older than this step.").arg(name)
                       : tr("Nothing that was recorded reads %1 before it is written again.").arg(name);
    if (recording.arrays[element.array].shared && writer) text = tr("No lane of the block wrote %1 before.").arg(name);
    if (cut) text += tr(" Accesses were left out.");
    const bool row = writer && !recording.arrays[element.array].shared && element.offset >= 0;
    if ((older_ = row ? older_write(element) : std::nullopt))
      text += tr(" Step %1, %2, wrote the array last: ask again to look inside it.")
                  .arg(older_->step)
                  .arg(foreign_text(path_text(workbench_.playback().trace()->steps[older_->step])));
    return what_->setText(text);
  }
  workbench_.inside().go_to_access(*found);
}

void InsidePane::restyle() {
  const Theme& theme = theme_of(workbench_.looks().appearance());
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  sheet_->set_appearance(theme, scale);
  banks_->set_appearance(theme, scale);
  QFont bold = interface_font(scale);
  bold.setBold(true);
  place_->setFont(bold);
  if (workbench_.inside().is_open()) lists_->show_faults();
}

void InsidePane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Beside the sheet if there is room for both, else below
  const bool narrow = width() <= 90 * fontMetrics().averageCharWidth();
  across_->setOrientation(narrow ? Qt::Vertical : Qt::Horizontal);
  // In a small window with large text, the lanes have the room of what keys do as well
  const bool cramped = narrow && height() < 30 * fontMetrics().height();
  if (!for_audience_)
    for (QWidget* gives_way :
         std::initializer_list<QWidget*>{lists_, depths_[0], depths_[1], depths_[2], writer_, reader_})
      gives_way->setVisible(!cramped);
  share_height();
}

}  // namespace kdscope
