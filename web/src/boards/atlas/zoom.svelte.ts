// Nearer and farther: a map that can be dragged and scaled by wheel, fingers and buttons.
import { pointer, select } from "d3-selection";
import {
  zoom,
  zoomIdentity,
  type D3ZoomEvent,
  type ZoomBehavior,
  type ZoomTransform,
} from "d3-zoom";
import type { Point } from "./lines";

/** How a drawing lies in its frame: pixels a unit, and where its origin is. */
export interface Fit {
  scale: number;
  x: number;
  y: number;
}

/** A drawing with this view box, as large as the frame allows, in its middle. */
export function fitBox(box: string, width: number, height: number): Fit {
  const [x = 0, y = 0, wide = 1, high = 1] = box.split(" ").map(Number);
  const scale = Math.min(width / wide, height / high);
  return {
    scale,
    x: (width - wide * scale) / 2 - x * scale,
    y: (height - high * scale) / 2 - y * scale,
  };
}

/** What moves a picture drawn with `from` to where `to` would have drawn it, in pixels. */
export function shift(from: ZoomTransform, to: ZoomTransform, fit: Fit): Fit {
  const scale = to.k / from.k;
  return {
    scale,
    x: fit.scale * to.x + fit.x - scale * (fit.scale * from.x + fit.x),
    y: fit.scale * to.y + fit.y - scale * (fit.scale * from.y + fit.y),
  };
}

export class Nearer {
  /** Where the map is now; what moves upon it is drawn so. */
  now = $state.raw(zoomIdentity);
  /** Where its still sheets were last drawn: while fingers scale them, their picture is moved. */
  drawn = $state.raw(zoomIdentity);
  fit = $state.raw<Fit>({ scale: 1, x: 0, y: 0 });
  scale = $derived(this.now.k);
  private map: SVGSVGElement | undefined;
  private behaviour: ZoomBehavior<SVGSVGElement, unknown> | undefined;

  /** What moves the picture of the still sheets, as a CSS transform. */
  shifted = $derived.by((): string => {
    const { scale, x, y } = shift(this.drawn, this.now, this.fit);
    if (scale !== 1) return `translate(${x}px, ${y}px) scale(${scale})`;
    const whole = (pixels: number) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
    return `translate(${whole(x)}px, ${whole(y)}px)`; // or the names would blur
  });

  /** Call it in an effect; it returns what ends it. `free`: whether an event may move the map. */
  on(map: SVGSVGElement, box: string, free: (event: MouseEvent) => boolean = () => true) {
    const [x = 0, y = 0, width = 0, height = 0] = box.split(" ").map(Number);
    const behaviour = zoom<SVGSVGElement, unknown>()
      .scaleExtent([1, 8])
      .translateExtent([
        [x, y],
        [x + width, y + height],
      ])
      .filter((event: MouseEvent) => !event.button && free(event))
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => (this.now = event.transform))
      .on("end", () => this.settle());
    select(map)
      .call(behaviour)
      .on("dblclick.zoom", null)
      // Every move of a finger is ours from the first, or a pinch that begins late is not.
      .on("touchmove.ours", (event: TouchEvent) => event.preventDefault(), { passive: false });
    [this.map, this.behaviour] = [map, behaviour];
    return () => select(map).on(".zoom", null).on(".ours", null);
  }

  /** Scaled pictures blur: they are drawn again when the scale stays. Dragged ones need not be. */
  private settle(): void {
    if (this.now.k !== this.drawn.k) this.drawn = this.now;
  }

  /** The point of the drawing under the pointer. */
  at(event: { clientX: number; clientY: number }): Point | null {
    return this.map ? this.now.invert(pointer(event, this.map)) : null;
  }

  by(factor: number): void {
    if (this.map && this.behaviour) select(this.map).call(this.behaviour.scaleBy, factor);
  }

  whole(): void {
    if (this.map && this.behaviour) select(this.map).call(this.behaviour.transform, zoomIdentity);
  }
}
