import { SearchX } from "lucide-react";
import Link from "next/link";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

export default function NotFound() {
  return (
    <>
      <PageHead title="Not found" />
      <Card>
        <EmptyState
          Icon={SearchX}
          title="There is nothing here"
          action={
            <Button asChild>
              <Link href="/dashboard/orders">Show all orders</Link>
            </Button>
          }
        >
          <p>No order of your shop has this id.</p>
        </EmptyState>
      </Card>
    </>
  );
}
