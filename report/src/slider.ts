// The slider over the points of the path: one control for the whole page.
import type { Report } from './data';
import { h, replace, type Section } from './dom';
import { fixed, measure, visible } from './words';

export function describe(report: Report, index: number): string {
  const point = report.point(index);
  return `${visible(point.name)}: normalized cut ${measure(point.cut)}, average balance ${fixed(point.average_balance)}`;
}

/** `choose` is called with the point that the reader asks for. */
export function slider(report: Report, choose: (index: number) => void): Section | null {
  const last = report.data.points.length - 1;
  if (last < 1) return null;
  const start = report.data.start;
  const input: HTMLInputElement = h('input', {
    type: 'range',
    id: 'point',
    min: 0,
    max: last,
    step: 1,
    value: start,
    'aria-describedby': 'point-ends',
    input: () => choose(Number(input.value)),
  });
  const text = h('output', { for: 'point', class: 'point-name' });
  const back = h('button', { type: 'button', click: () => choose(start) }, `Back to ${visible(report.point(start).name)}`);
  const element = h(
    'div',
    { class: 'slider', role: 'group', 'aria-label': 'Point of the path that the page shows' },
    h('div', { class: 'slider-line' }, h('label', { for: 'point' }, 'Shown on this page'), text, back),
    input,
    h(
      'p',
      { class: 'ends', id: 'point-ends' },
      h('span', {}, 'less weight on representation'),
      h('span', {}, 'more weight on representation'),
    ),
  );
  return {
    element,
    show(index) {
      const point = report.point(index);
      input.value = String(index);
      input.setAttribute('aria-valuetext', describe(report, index));
      replace(
        text,
        h('strong', {}, visible(point.name)),
        h('span', {}, ` cut ${measure(point.cut)} · balance ${fixed(point.average_balance)}`),
      );
      back.style.visibility = index === start ? 'hidden' : 'visible';
    },
  };
}
