// Every broken variant of the gallery shows its bug where its story says, and its fix removes it.

#include "walkthroughs/reader/gallery.hpp"

#include "algorithms/variants/shrink.hpp"
#include "algorithms/variants/variant_failure.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/share.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;

LESSON_CASE("a broken variant of the gallery diverges where its story says, and its fix equals the original",
            "[slow]") {
  const Gallery gallery = read_gallery(gallery_folder());
  REQUIRE_FALSE(gallery.entries.empty());
  const std::size_t number = GENERATE_COPY(range(std::size_t(0), gallery.entries.size()));
  const GalleryEntry entry = gallery.entries[number];
  INFO(entry.id);
  variants::CompilerErrors errors;
  const auto broken = try_variant({entry.variant, entry.data, entry.parameters}, errors);
  INFO(errors.output.substr(0, 2000));
  REQUIRE(broken);
  INFO(outcome_text(*broken));
  if (!entry.symptom.check.empty()) {
    REQUIRE(broken->failed_check);
    CHECK(broken->failed_check->check.name == entry.symptom.check);
    CHECK(path_text(broken->run.trace->steps[broken->failed_check->step]) == entry.symptom.step);
  } else if (entry.symptom.array.empty()) {
    CHECK(broken->run.step == entry.symptom.step);
    CHECK(broken->run.crash.find(entry.symptom.crash) != std::string::npos);
  } else {
    REQUIRE(broken->divergence.steps);
    CHECK(path_text(broken->run.trace->steps[broken->divergence.steps->second]) == entry.symptom.step);
    REQUIRE_FALSE(broken->divergence.arrays.empty());
    CHECK(broken->divergence.arrays[0].array == entry.symptom.array);
    REQUIRE_FALSE(broken->divergence.arrays[0].first.empty());
    CHECK(broken->divergence.arrays[0].first[0].index == entry.symptom.index);
  }

  // The fixes take as long again, so a third of them is compiled unless KDSCOPE_EVERYTHING is set.
  if (number % test::every_nth(3) != 0) return;
  const test::TemporaryFolder folder;
  REQUIRE(entry.fix);
  const auto fixed = with_fix(test::content_of(entry.variant), *entry.fix);
  REQUIRE(fixed);
  test::put(folder.file("fixed.cu"), *fixed);
  const auto whole =
      try_variant({folder.file("fixed.cu"), entry.data, entry.parameters, broken->original}, errors).value();
  INFO(outcome_text(whole));
  CHECK(whole.equal());
  CHECK(whole.orders.size() == 4);
  CHECK_FALSE(whole.run.replaced.empty());
}

// Takes a minute or two for each variant, so it runs on request.
TEST_CASE("a broken variant of the gallery shrinks to a few points", "[.gallery_shrink]") {
  const Gallery gallery = read_gallery(gallery_folder());
  const GalleryEntry entry = gallery.entries[GENERATE_COPY(range(std::size_t(0), gallery.entries.size()))];
  INFO(entry.id);
  const auto variant = variants::read_variant(entry.variant).value();
  const auto kit = variants::find_kit().value();
  variants::CompilerErrors errors;
  const auto compiled = variants::compile(variant, kit, errors).value();
  variants::VariantTester tester(variant, compiled.program, kit, {"", "", entry.parameters});
  const auto fails = [&](const DataSet& tested) -> Result<bool> {
    const auto failure = tester.failure_on(tested);
    if (!failure) return failure.error();
    return !failure->empty();
  };
  // The first of these data sets on which the variant fails
  for (const std::string& data : {std::string("uniform:n=1000,dim=2,seed=3"), entry.data}) {
    const auto opened = open_data_set(data).value();
    if (const auto failed = fails(*opened); !failed || !*failed) continue;
    const auto result = variants::shrink(*opened, fails).value();
    WARN(entry.id << ": " << data << " shrinks to " << result.elements.size() << " in " << result.tests << " tests, "
                  << result.seconds << " s");
    CHECK(result.elements.size() <= (variant.algorithm == "wehr" ? 64 : 12));
    return;
  }
  FAIL("the variant fails on no data set");
}
