// The index of a course: how much of each lesson is done on this device.
const by_id = new Map(data.course);
for (const item of document.querySelectorAll("[data-lesson]")) {
  const answers = Object.entries(read_store(item.dataset.lesson).answers)
                      .filter(([key, answer]) => !key.startsWith(practice_key) && is_done(answer))
                      .length;
  if (answers > 0)
    item.querySelector(".done").textContent = `${answers} of ${by_id.get(item.dataset.lesson)} questions done`;
}
