#include "app/cli/slurm_array.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/started_process.hpp"

namespace kdscope::cli {
namespace {

/// "mine" for "mine.json".
std::string without_ending(const std::string& file) {
  return file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
}

std::string file_of_part(const SlurmArray& array, const std::string& number) {
  return shell_word(without_ending(array.keep) + ".part-") + number + ".json";
}

/// Reads a pipe to its end.
std::string read_whole(int descriptor) {
  std::string text;
  std::array<char, 4096> bytes;
  for (ssize_t got; (got = ::read(descriptor, bytes.data(), bytes.size())) != 0;)
    if (got > 0)
      text.append(bytes.data(), static_cast<std::size_t>(got));
    else if (errno != EINTR)
      break;
  return text;
}

}  // namespace

std::string array_script(const SlurmArray& array) {
  std::string script = "#!/bin/sh\n#SBATCH --job-name=kdscope --array=1-" + std::to_string(array.parts) + "\n";
  if (!array.options.empty()) script += "#SBATCH " + array.options + "\n";
  script += "exec " + shell_word(array.program) + " experiment " + shell_word(array.file) +
            " --part \"$SLURM_ARRAY_TASK_ID/" + std::to_string(array.parts) + "\" --keep " +
            file_of_part(array, "\"$SLURM_ARRAY_TASK_ID\"");
  for (const std::string& word : array.words) script += " " + shell_word(word);
  return script + "\n";
}

std::string merge_script(const SlurmArray& array) {
  return "#!/bin/sh\n#SBATCH --job-name=kdscope-rows\nfor part in " + file_of_part(array, "*") + "; do\n  " +
         shell_word(array.program) + " bench \"$part\" --keep " + shell_word(array.keep) +
         " >/dev/null && rm \"$part\"\ndone\n";
}

Result<std::string> submit(const std::string& script, const std::vector<std::string>& further, std::stop_token stop) {
  using variants::Pipe;
  std::vector<std::string> command{"sbatch", "--parsable"};
  command.insert(command.end(), further.begin(), further.end());
  Pipe input = variants::open_pipe(), output = variants::open_pipe(), words = variants::open_pipe();
  variants::StartedProcess sbatch(command, {input.reading.number(), output.writing.number(), words.writing.number()});
  input.reading.close(), output.writing.close(), words.writing.close();
  const std::stop_callback on_stop(stop, [&] { ::kill(-sbatch.group(), SIGTERM); });
  variants::write_all(input.writing.number(), script);  // one that has ended is noticed
  input.writing.close();
  std::string id = read_whole(output.reading.number());
  std::string said = read_whole(words.reading.number());
  const auto status = sbatch.status_within(std::chrono::seconds(2));
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "the submission was cancelled", "", ""};
  id = id.substr(0, id.find_first_of(";\n"));  // "12;cluster"
  if (status == 0 && !id.empty()) return id;
  said = said.substr(0, said.find('\n'));
  return Error{ErrorKind::io_failure,
               "sbatch did not take the job" + (said.empty() ? "" : " (" + printable(said) + ")"), "",
               "submit where Slurm is, or print the script without --submit"};
}

}  // namespace kdscope::cli
