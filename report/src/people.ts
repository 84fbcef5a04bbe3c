// People: the worst represented in a table that can be searched, sorted, paged and saved.
import { Card } from './card';
import { clusterName } from './clusters';
import { csv } from './csv';
import type { Person, Report } from './data';
import { representatives } from './guide';
import { h, hidden, replace, save, scrolling, section, type Child, type Section } from './dom';
import { helpInShort, reason } from './help';
import { cluster, count, fixed, plain, plural, quoted } from './words';

const rows_per_page = 25;

interface Column {
  id: string;
  title: string;
  /** What the rows are sorted by; NaN is last. */
  key(person: Person): number | string;
  cell(person: Person): Child[];
  number: boolean;
  /** Narrow screens leave it to the card. */
  wide: boolean;
}

/** Whoever has no representatives has a balance by definition only (0/0 = 1): the table shows none. */
function measured(person: Person): number {
  return person.reason === 1 ? NaN : person.balance;
}

/** `cut` is that of the point that is shown. */
function columns(report: Report, cut: () => number | null): Column[] {
  const of = (id: string, title: string, key: Column['key'], cell: Column['cell'], number: boolean, wide: boolean): Column => ({
    id,
    title,
    key,
    cell,
    number,
    wide,
  });
  const all = [
    of('person', 'Person', (p) => (report.data.names_shown ? report.name(p.node) : p.node), () => [], false, false),
    of('cluster', 'Cluster', (p) => p.cluster, (p) => [clusterName(p.cluster)], false, true),
    of('group', 'Group', (p) => report.group(p.group), (p) => [quoted(report.group(p.group), 24)], false, true),
    of('balance', 'Balance', (p) => measured(p), (p) => [fixed(measured(p))], true, false),
    of('limit', 'Best possible', (p) => (p.reason === 1 ? NaN : p.limit), (p) => [p.reason === 1 ? '–' : fixed(p.limit)], true, true),
    of('representatives', 'Representatives', (p) => p.representatives, (p) => [count(p.representatives)], true, true),
    of('reason', 'Reason', (p) => reason(p), (p) => [reason(p)], false, false),
    of('help', 'What would help most', (p) => (p.help.kind === 0 ? NaN : p.help.balance), (p) => helpInShort(report, p, cut()), false, true),
  ];
  return report.data.groups.length > 0 ? all : all.filter(({ id }) => id !== 'group');
}

/** Unknown numbers come last, whatever the direction. */
function compare(a: number | string, b: number | string, down: boolean): number {
  const direction = down ? -1 : 1;
  if (typeof a === 'string' || typeof b === 'string') return direction * String(a).localeCompare(String(b), 'en', { numeric: true });
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return direction * (a - b);
}

class PeopleTable {
  private index = 0;
  private page = 0;
  private sorted: { column: Column | null; down: boolean } = { column: null, down: false };
  private readonly columns: Column[];
  private readonly card: Card;
  private readonly texts = new WeakMap<Person, string>();
  private readonly search = h('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false', input: () => this.first() });
  private readonly summary = h('p', { class: 'note', role: 'status', id: 'people-summary' });
  private readonly head = h('tr', {});
  private readonly body = h('tbody', {});
  private readonly pages = h('div', { class: 'pages' });
  readonly element: HTMLElement;

  constructor(private readonly report: Report) {
    this.columns = columns(report, () => report.point(this.index).cut);
    this.card = new Card(report);
    const table = h('table', { class: 'people' }, h('thead', {}, this.head), this.body);
    const { value } = report.data.threshold;
    this.element = section(
      'people',
      'People',
      h(
        'p',
        {},
        `${representatives(report)} The worst represented people come first. A balance below ${fixed(value)} is counted as poorly represented. Choose a person to see the card with all numbers.`,
        report.data.names_shown ? '' : ' Names are masked: the number is the place of the person in the files.',
      ),
      h(
        'div',
        { class: 'controls' },
        h('div', {}, h('label', { for: 'search' }, 'Search by person, cluster, group or reason (“cluster 2, uneven”: both)'), this.search),
        h('button', { type: 'button', id: 'csv', click: () => this.save() }, 'Save these rows as CSV'),
      ),
      this.summary,
      scrolling('Table of people', table),
      this.pages,
      this.card.element,
    );
  }

  show(index: number): void {
    this.index = index;
    this.update();
  }

  /** The rows that match, in the order of the table. */
  private rows(): Person[] {
    const parts = this.search.value.toLowerCase().split(',').map((part) => part.trim()).filter(Boolean);
    const people = this.report.people(this.index).filter((person) => parts.every((part) => this.text(person).includes(part)));
    const { column, down } = this.sorted;
    if (column === null) return people;
    return people.sort((a, b) => compare(column.key(a), column.key(b), down) || a.rank - b.rank);
  }

  /** What the search looks at. */
  private text(person: Person): string {
    let text = this.texts.get(person);
    if (text === undefined) {
      const { report } = this;
      text = [report.name(person.node), cluster(person.cluster), report.group(person.group), reason(person)].join('\n').toLowerCase();
      this.texts.set(person, text);
    }
    return text;
  }

  private first(): void {
    this.page = 0;
    this.update();
  }

  private sort(column: Column): void {
    const again = this.sorted.column === column;
    this.sorted = { column, down: again ? !this.sorted.down : false };
    this.first();
    // The headers were made anew: the focus goes back to the one that was used.
    document.getElementById(`sort-${column.id}`)?.focus();
  }

  private save(): void {
    save('people.csv', 'text/csv;charset=utf-8', csv(this.report, this.rows(), this.report.point(this.index).cut));
  }

  private update(): void {
    const rows = this.rows();
    const last = Math.max(0, Math.ceil(rows.length / rows_per_page) - 1);
    this.page = Math.min(this.page, last);
    const from = this.page * rows_per_page;
    const shown = rows.slice(from, from + rows_per_page);
    replace(this.head, ...this.columns.map((column) => this.header(column)));
    replace(this.body, ...shown.map((person) => this.row(person)));
    const { total, count: listed } = this.report.point(this.index).people;
    const whole = listed < total ? ` The page lists the ${count(listed)} worst represented of ${count(total)} people.` : '';
    const found = this.search.value.trim() === '' ? `${plural(rows.length, 'person', 'people')}.` : `${plural(rows.length, 'person matches', 'people match')} the search.`;
    const range = rows.length > rows_per_page ? ` Rows ${count(from + 1)} to ${count(from + shown.length)} are shown.` : '';
    replace(this.summary, `${found}${range}${whole}${this.tied()}`);
    this.buttons(last);
  }

  /** Among many who are equally badly off, the first rows are nobody special. */
  private tied(): string {
    const people = this.report.people(this.index).filter((person) => !Number.isNaN(measured(person)));
    const lowest = Math.min(...people.map(measured));
    const same = people.filter((person) => measured(person) === lowest).length;
    if (same < 2) return '';
    return ` ${same === people.length ? 'All of them' : plural(same, 'person', 'people')} share the lowest balance, ${fixed(lowest)}.`;
  }

  private header(column: Column): HTMLElement {
    const { column: by, down } = this.sorted;
    const state = by === column ? (down ? 'descending' : 'ascending') : 'none';
    const sign = by === column ? (down ? '▼' : '▲') : '↕';
    return h(
      'th',
      { scope: 'col', 'aria-sort': state, class: this.style(column) },
      h(
        'button',
        { type: 'button', class: 'sort', id: `sort-${column.id}`, click: () => this.sort(column) },
        column.title,
        h('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      ),
      // Chromium does not repeat a header with buttons on the next sheet of paper.
      h('span', { class: 'paper' }, column.title),
    );
  }

  private style({ id, number, wide }: Column): string {
    return `col-${id}${number ? ' number' : ''}${wide ? ' wide' : ''}`;
  }

  private row(person: Person): HTMLElement {
    const open = (): void => this.card.open(person, this.report.point(this.index).cut);
    const name = h('button', { type: 'button', class: 'name', 'aria-haspopup': 'dialog' }, quoted(this.report.name(person.node)));
    // The click of the button reaches the row: one listener serves both.
    return h(
      'tr',
      { 'data-node': person.node, click: open },
      h('th', { scope: 'row', class: 'col-person' }, name),
      ...this.columns.slice(1).map((column) => h('td', { class: this.style(column) }, ...column.cell(person))),
    );
  }

  private buttons(last: number): void {
    const go = (id: string, text: string, page: number, off: boolean): HTMLElement =>
      h(
        'button',
        {
          type: 'button',
          id,
          disabled: off,
          click: () => {
            this.page = page;
            this.update();
            (document.getElementById(id) as HTMLButtonElement).focus();
          },
        },
        text,
        hidden(' page of people'),
      );
    if (last === 0) {
      replace(this.pages);
      return;
    }
    replace(
      this.pages,
      go('page-before', 'Previous', this.page - 1, this.page === 0),
      h('span', {}, plain([`Page ${count(this.page + 1)} of ${count(last + 1)}`])),
      go('page-after', 'Next', this.page + 1, this.page === last),
    );
  }
}

export function people(report: Report): Section {
  const table = new PeopleTable(report);
  return { element: table.element, show: (index) => table.show(index) };
}
