// What the page uses of D3 (Debian's node-d3 has no type declarations).

declare module 'd3-scale' {
  export interface Linear {
    (value: number): number;
    domain(values: [number, number]): Linear;
    domain(): [number, number];
    range(values: [number, number]): Linear;
    nice(count?: number): Linear;
    ticks(count?: number): number[];
    tickFormat(count?: number): (value: number) => string;
  }
  export function scaleLinear(): Linear;
}

declare module 'd3-force' {
  export interface Body {
    x: number;
    y: number;
    index?: number;
  }
  export interface Link {
    source: number | Body;
    target: number | Body;
  }
  export interface Force {
    strength(value: number): Force;
  }
  export interface LinkForce extends Force {
    distance(value: number): LinkForce;
    strength(value: number): LinkForce;
    iterations(count: number): LinkForce;
  }
  export interface BodyForce extends Force {
    theta(value: number): BodyForce;
    strength(value: number): BodyForce;
  }
  export interface Simulation {
    force(name: string, force: Force): Simulation;
    alphaDecay(value: number): Simulation;
    stop(): Simulation;
    tick(): Simulation;
  }
  export function forceSimulation(bodies: Body[]): Simulation;
  export function forceLink(links: Link[]): LinkForce;
  export function forceManyBody(): BodyForce;
  export function forceX(x: number): Force;
  export function forceY(y: number): Force;
}
