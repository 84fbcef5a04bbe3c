// The table of people as CSV (RFC 4180), for spreadsheets.
import type { Person, Report } from './data';
import { helpText, reason } from './help';

// A spreadsheet runs a cell that begins with one of these as a formula; names are written by strangers.
const formula = /^[=+\-@\t\r]/;

function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** A float32 as the shortest decimals that give it back. */
function single(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : NaN;
}

export function csv(report: Report, people: Person[], cut: number | null): string {
  const clusters = Array.from({ length: report.data.clusters }, (_, k) => k + 1);
  const rows: (string | number)[][] = [
    [
      'rank', 'node', 'name', 'cluster', 'group', 'balance', 'best_possible_balance', 'representatives', 'reason',
      'balance_after_help', 'price_of_help', 'help',
      ...clusters.map((k) => `found_in_cluster_${k}`), ...clusters.map((k) => `expected_in_cluster_${k}`),
    ],
    ...people.map((person) => [
      person.rank + 1,
      person.node + 1,
      report.rawName(person.node),
      person.cluster + 1,
      person.group === null ? '' : report.data.groups[person.group] ?? '',
      single(person.balance),
      single(person.limit),
      person.representatives,
      reason(person),
      person.help.kind === 0 ? '' : single(person.help.balance),
      person.help.kind === 0 ? '' : single(person.help.price),
      helpText(report, person, cut),
      ...person.found,
      ...Array.from(person.expected, single),
    ]),
  ];
  // With a byte order mark, by which spreadsheets tell UTF-8.
  return `\ufeff${rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')}`;
}
