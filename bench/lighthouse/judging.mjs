// From reports to a table: the run of median performance stands for a page, the other categories must hold in every run.
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };

const score = (report, id) => Math.round((report.categories[id]?.score ?? 0) * 100);
const figure = (report, id) => report.audits[id]?.numericValue ?? Number.NaN;

/** One row: the scores, the figures behind the performance, and what cost points. */
export function judged(path, reports) {
  const ordered = [...reports].sort((a, b) => score(a, 'performance') - score(b, 'performance'));
  const middle = ordered[Math.floor((ordered.length - 1) / 2)];
  const scores = Object.keys(GOALS).map((id) =>
    id === 'performance' ? score(middle, id) : Math.min(...reports.map((report) => score(report, id))),
  );
  const shift = Math.max(...reports.map((report) => figure(report, 'cumulative-layout-shift')));
  const isReached = shift === 0 && Object.values(GOALS).every((goal, index) => scores[index] >= goal);
  return { path, scores, shift, isReached, middle, failures: failuresOf(reports) };
}

/** Audits other than of performance that found something, in whatever run. */
function failuresOf(reports) {
  const found = new Set();
  for (const { categories, audits } of reports)
    for (const { id, auditRefs } of Object.values(categories))
      for (const ref of auditRefs)
        if (id !== 'performance' && ref.weight > 0 && audits[ref.id].score === 0)
          found.add(`${id}: ${ref.id}`);
  return [...found];
}

const seconds = (report, id) => `${(figure(report, id) / 1000).toFixed(2)} s`;

export function table(lines) {
  const head = ['page', 'perf', 'a11y', 'practices', 'seo', 'CLS', 'FCP', 'LCP', 'TBT', 'goals'];
  const rows = lines.map(({ path, scores, shift, isReached, middle }) => [
    path,
    ...scores.map(String),
    shift === 0 ? '0' : shift.toFixed(4),
    seconds(middle, 'first-contentful-paint'),
    seconds(middle, 'largest-contentful-paint'),
    `${Math.round(figure(middle, 'total-blocking-time'))} ms`,
    isReached ? 'reached' : 'MISSED',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const printed = [head, ...rows].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column])).join('  '),
  );
  const failures = lines.flatMap(({ path, failures: found }) => found.map((one) => `${path}: ${one}`));
  return `${[...printed, ...failures].map((line) => line.trimEnd()).join('\n')}\n`;
}
