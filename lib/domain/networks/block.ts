/** A block as a chain shows it. */
export interface Block {
  height: number;
  hash: string;
  parentHash: string;
  time: Date;
}

export interface Head extends Block {
  /** Milliseconds between blocks, as the source measured them; null or absent before it has. */
  blockMs?: number | null;
  /** Height at and below which the chain cannot reorganise, by the node's own word; null where the node has no such tag. */
  finalizedHeight: number | null;
}
