// A force layout in slices: the page stays responsive, and the same data give the same picture.
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type Body } from 'd3-force';

const slice_ms = 12;
const ticks = 180;

/** Moves the bodies from where they are; `moved` is called now and then, the last time with true. */
export function layOut(bodies: Body[], edges: ArrayLike<number>, moved: (done: boolean) => void): void {
  const links = Array.from({ length: edges.length / 2 }, (_, e) => ({ source: edges[2 * e], target: edges[2 * e + 1] }));
  const simulation = forceSimulation(bodies)
    .stop()
    .alphaDecay(1 - Math.pow(0.001, 1 / ticks))
    .force('links', forceLink(links).distance(24).iterations(1))
    .force('apart', forceManyBody().strength(-30).theta(1.2))
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.1));
  let tick = 0;
  let drawn = performance.now();
  const step = (): void => {
    const began = performance.now();
    while (tick < ticks && performance.now() - began < slice_ms) {
      simulation.tick();
      ++tick;
    }
    if (tick >= ticks) {
      moved(true);
      return;
    }
    if (performance.now() - drawn > 400) {
      moved(false);
      drawn = performance.now();
    }
    setTimeout(step, 0);
  };
  setTimeout(step, 0);
}
