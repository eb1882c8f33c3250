// The charts of a measurement; the page holds their values as a table, too.
document.getElementById("charts").append(
    ...data.charts.map((chart) => display_list(chart, "chart", "Chart; the table below holds the same values")));
