/** A block as a chain shows it. */
export interface Block {
  height: number;
  hash: string;
  parentHash: string;
  time: Date;
}

export interface Head extends Block {
  /** Height at and below which the chain cannot reorganise, by the node's own word; null where the node has no such tag. */
  finalizedHeight: number | null;
}
