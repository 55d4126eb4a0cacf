// Nearer and farther: a map that can be dragged and scaled by wheel, fingers and buttons.
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";

export class Nearer {
  /** The transform of the layer that moves. */
  transform = $state("");
  scale = $state(1);
  private map: SVGSVGElement | undefined;
  private behaviour: ZoomBehavior<SVGSVGElement, unknown> | undefined;

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
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.transform = event.transform.toString();
        this.scale = event.transform.k;
      });
    select(map).call(behaviour).on("dblclick.zoom", null);
    [this.map, this.behaviour] = [map, behaviour];
    return () => select(map).on(".zoom", null);
  }

  by(factor: number): void {
    if (this.map && this.behaviour) select(this.map).call(this.behaviour.scaleBy, factor);
  }

  whole(): void {
    if (this.map && this.behaviour) select(this.map).call(this.behaviour.transform, zoomIdentity);
  }
}
