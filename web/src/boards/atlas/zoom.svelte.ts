// Zoom: a map that can be dragged and scaled with wheel, fingers and buttons.
import { distance, type Point } from "./lines";

/** Where a drawing is in its frame: pixels per unit, and the position of its origin. */
export interface Fit {
  scale: number;
  x: number;
  y: number;
}

/** A view box: corner, width, height. */
type Box = readonly [number, number, number, number];

export const readBox = (box: string): Box => {
  const [x = 0, y = 0, wide = 1, high = 1] = box.split(" ").map(Number);
  return [x, y, wide, high];
};

/** A drawing with this view box, as large as the frame allows, at its top: what comes and goes below
 * does not move it. */
export function fitBox(box: string, width: number, height: number): Fit {
  const [x, y, wide, high] = readBox(box);
  const scale = Math.min(width / wide, height / high);
  return {
    scale,
    x: (width - wide * scale) / 2 - x * scale,
    y: -y * scale,
  };
}

/** How the map lies on its sheet: `k` times as large, its origin at x, y. */
export class Lie {
  constructor(
    readonly k = 1,
    readonly x = 0,
    readonly y = 0,
  ) {}

  /** Where a point of the drawing lies on the sheet. */
  apply = ([x, y]: Point): Point => [this.k * x + this.x, this.k * y + this.y];

  /** The point of the drawing that lies here on the sheet. */
  invert = ([x, y]: Point): Point => [(x - this.x) / this.k, (y - this.y) / this.k];

  toString = (): string => `translate(${this.x},${this.y}) scale(${this.k})`;
}

const MOST = 8;
const between = (low: number, n: number, high: number): number => Math.max(low, Math.min(n, high));

/** The map at this scale with a point of the drawing here on the sheet; it always fills the sheet. */
export function pinLie(wanted: number, point: Point, here: Point, box: Box): Lie {
  const k = between(1, wanted, MOST);
  const [x, y, wide, high] = box;
  const far = 1 - k;
  return new Lie(
    k,
    between(far * (x + wide), here[0] - k * point[0], far * x),
    between(far * (y + high), here[1] - k * point[1], far * y),
  );
}

/** A finger or the mouse: where it is on the sheet, and which point of the drawing it holds. */
export interface Finger {
  here: Point;
  holds: Point;
  began: Point;
}

const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** The map as the fingers that hold it want it: one moves it, two scale it. */
export function followFingers(lie: Lie, fingers: readonly Finger[], box: Box): Lie {
  const [one, two] = fingers;
  if (!one) return lie;
  if (!two) return pinLie(lie.k, one.holds, one.here, box);
  const k = distance(one.here, two.here) / (distance(one.holds, two.holds) || 1);
  return pinLie(k, middle(one.holds, two.holds), middle(one.here, two.here), box);
}

/** The transform that moves a picture drawn at `from` to where `to` would draw it, in pixels. */
export function shift(from: Lie, to: Lie, fit: Fit): Fit {
  const scale = to.k / from.k;
  return {
    scale,
    x: fit.scale * to.x + fit.x - scale * (fit.scale * from.x + fit.x),
    y: fit.scale * to.y + fit.y - scale * (fit.scale * from.y + fit.y),
  };
}

const CLICK = 4; // pixels: a hand that trembles still clicks
const LINES = 0.05; // how much a wheel scales that counts lines, not pixels
const PIXELS = 0.002;

export class Nearer {
  /** The current position of the map; moving parts are drawn at it. */
  now = $state.raw(new Lie());
  /** Where the static layers were last drawn: during a pinch, only their picture is moved. */
  drawn = $state.raw(new Lie());
  fit = $state.raw<Fit>({ scale: 1, x: 0, y: 0 });
  scale = $derived(this.now.k);
  private map: SVGSVGElement | undefined;
  private box: Box = [0, 0, 1, 1];
  private readonly fingers = new Map<number, Finger>();
  private moved = false;
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** The CSS transform of the static layers' picture. */
  shifted = $derived.by((): string => {
    const { scale, x, y } = shift(this.drawn, this.now, this.fit);
    if (scale !== 1) return `translate(${x}px, ${y}px) scale(${scale})`;
    const whole = (pixels: number) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
    return `translate(${whole(x)}px, ${whole(y)}px)`; // or the names would blur
  });

  /** Call it in an effect; it returns the cleanup. `free`: whether a finger may move the map now. */
  on(map: SVGSVGElement, box: string, free: () => boolean = () => true) {
    [this.map, this.box] = [map, readBox(box)];
    const gone = new AbortController();
    const { signal } = gone;
    map.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
    // Touch moves are captured from the start; otherwise a browser may scroll or scale the page.
    map.addEventListener("touchmove", (event) => event.preventDefault(), {
      passive: false,
      signal,
    });
    map.addEventListener("pointerdown", (event) => this.press(event), { signal });
    window.addEventListener("pointermove", (event) => this.move(event, free()), { signal });
    window.addEventListener("pointerup", (event) => this.lift(event), { signal });
    window.addEventListener("pointercancel", (event) => this.lift(event), { signal });
    // The click that ends a drag of the map means nothing, neither here nor to what is around it.
    const swallow = (event: MouseEvent) => this.moved && event.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, signal });
    return () => gone.abort();
  }

  private press(event: PointerEvent): void {
    if (event.button) return;
    const here = this.sheet(event);
    this.fingers.set(event.pointerId, { here, holds: here, began: [event.clientX, event.clientY] });
    this.grasp();
  }

  private move(event: PointerEvent, free: boolean): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    finger.here = this.sheet(event);
    if (!free) return this.grasp(); // a piece is dragged
    this.moved ||= distance(finger.began, [event.clientX, event.clientY]) >= CLICK;
    if (this.moved) this.now = followFingers(this.now, [...this.fingers.values()], this.box);
  }

  private lift(event: PointerEvent): void {
    if (!this.fingers.delete(event.pointerId)) return;
    this.grasp();
    if (this.fingers.size) return;
    this.settle();
    setTimeout(() => (this.moved = false)); // after the click, which comes at once
  }

  /** Every finger holds what lies under it now. */
  private grasp(): void {
    for (const finger of this.fingers.values()) finger.holds = this.now.invert(finger.here);
  }

  private wheel(event: WheelEvent): void {
    const step = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? PIXELS : LINES;
    const k = this.now.k * 2 ** (-event.deltaY * step * (event.ctrlKey ? 10 : 1));
    if (between(1, k, MOST) === this.now.k) return; // the page may scroll
    event.preventDefault();
    const here = this.sheet(event);
    this.now = pinLie(k, this.now.invert(here), here, this.box);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.settle(), 150);
  }

  /** Scaled pictures blur, so they are redrawn once the scale stops changing; dragged ones are not. */
  private settle(): void {
    if (this.now.k !== this.drawn.k) this.drawn = this.now;
  }

  /** The point of the sheet under the pointer. */
  private sheet(event: { clientX: number; clientY: number }): Point {
    const to = this.map?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
    return [x, y];
  }

  /** The point of the drawing under the pointer. */
  at(event: { clientX: number; clientY: number }): Point | null {
    return this.map ? this.now.invert(this.sheet(event)) : null;
  }

  by(factor: number): void {
    const [x, y, wide, high] = this.box;
    const here: Point = [x + wide / 2, y + high / 2];
    this.now = pinLie(this.now.k * factor, this.now.invert(here), here, this.box);
    this.settle();
  }

  whole(): void {
    this.now = new Lie();
    this.settle();
  }
}
