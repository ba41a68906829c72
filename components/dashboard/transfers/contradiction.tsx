import { Notice } from "@/components/ui/notice";
import type { Contradiction } from "@/lib/domain/transfers/transfer";

interface Disputed {
  status: string;
  contradiction: Contradiction | null;
}

/** Who says what of a transfer where endpoints contradict each other, and what a person can do; nothing where they do not. */
export function ContradictionNotice({ transfers }: { transfers: readonly Disputed[] }) {
  const disputed = transfers.flatMap(({ status, contradiction }) =>
    status === "seen" && contradiction ? [contradiction] : [],
  );
  const [first] = disputed;
  if (!first) return null;
  return (
    <Notice tone="warn">
      <p>The endpoints of this network contradict each other about this payment, so it waits:</p>
      <ul className="my-1.5 list-disc pl-5">
        {first.said.map(({ endpoint, says }) => (
          <li key={endpoint}>
            <span className="font-mono">{endpoint}</span> {says}.
          </li>
        ))}
      </ul>
      <p>
        Nobody here knows which of them is right. Look the transaction up in an explorer. If it is there, you can mark
        the order as paid by hand. If it is not, nothing was paid: deliver nothing. Once the operator takes the wrong
        endpoint out of the settings, it is decided by itself.
      </p>
    </Notice>
  );
}
