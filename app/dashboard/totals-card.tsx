import { getContext } from "@/app/context";
import { Totals, TotalsFailed } from "@/components/dashboard/home/totals";
import { type ChartView, sumFigures } from "@/lib/domain/orders/figures";
import { readTotals } from "@/lib/reports/read-totals";

interface TotalsCardProps {
  merchantId: string;
  view: ChartView;
}

/** Renders the totals of a shop. If they cannot be read, the card says so, and the rest of the page is shown. */
export async function TotalsCard({ merchantId, view }: TotalsCardProps) {
  const { pool, log } = getContext();
  const read = await readTotals(pool.db, merchantId, view.span).catch((error: unknown) => {
    log.error({ err: error, merchantId }, "the totals of the home page could not be read");
    return null;
  });
  if (read === null) return <TotalsFailed view={view} />;
  return <Totals figures={sumFigures(read.totals, read.failed, view.span)} view={view} />;
}
