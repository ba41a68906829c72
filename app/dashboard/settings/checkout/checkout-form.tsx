"use client";

import { useState } from "react";
import { toast } from "sonner";
import { saveCheckout } from "@/app/dashboard/settings/checkout/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Choice, TextAreaField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type FormState, useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { BrandForm } from "@/lib/domain/checkout/brand";
import { accentOf, parseHex, type Shade } from "@/lib/domain/checkout/colour";

interface CheckoutFormProps {
  known: BrandForm;
  /** WebP in base64. */
  logo: string | null;
  merchantName: string;
  canChange: boolean;
}

/** How payment pages look; who may only look sees it without a button. */
export function CheckoutForm({ known, logo, merchantName, canChange }: CheckoutFormProps) {
  const form = useForm(saveCheckout, () => void toast.success("Saved. Payment pages look so from now on"));
  return (
    <Form form={form}>
      <fieldset disabled={!canChange} className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
        <Card title="Brand" hint="At the top of every payment page and receipt.">
          <BrandFields form={form} known={known} logo={logo} merchantName={merchantName} />
        </Card>
        <Card title="Help and your sites">
          <div className="grid gap-4">
            <TextField
              label="Support link"
              name="supportUrl"
              autoComplete="off"
              defaultValue={known.supportUrl}
              placeholder="help@shop.example.com"
              hint="A page (https) or an e-mail address, at the foot of every payment page."
              error={form.errorOf("supportUrl")}
            />
            <TextAreaField
              label="Sites that may show payment pages in a frame"
              name="frameParents"
              rows={3}
              isMono
              spellCheck={false}
              defaultValue={known.frameParents}
              placeholder="https://shop.example.com"
              hint="One origin a line. Leave it empty if you only link to payment pages: then no site can wrap one to mislead your payers."
              error={form.errorOf("frameParents")}
            />
          </div>
        </Card>
      </fieldset>
      {canChange ? (
        <div className="grid max-w-sm gap-4">
          <ProveAgain />
          <div>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              Save
            </Button>
          </div>
        </div>
      ) : null}
    </Form>
  );
}

function BrandFields({ form, known, logo, merchantName }: Omit<CheckoutFormProps, "canChange"> & { form: FormState }) {
  const [accent, setAccent] = useState(known.accent);
  return (
    <div className="grid gap-4">
      <TextField
        label="Name"
        name="shownName"
        autoComplete="off"
        defaultValue={known.shownName}
        placeholder={merchantName}
        hint={`What payers read. Empty: ${merchantName}.`}
        error={form.errorOf("shownName")}
      />
      <TextField
        label="Logo"
        name="logoUrl"
        inputMode="url"
        autoComplete="off"
        defaultValue={known.logoUrl}
        placeholder="https://shop.example.com/logo.png"
        hint="PNG, JPEG, WebP or GIF, best square. It is fetched once, when you save; payers never load anything from there."
        error={form.errorOf("logoUrl")}
      />
      {logo ? <PresentLogo logo={logo} /> : null}
      <div className="grid gap-2">
        <TextField
          label="Accent colour"
          name="accent"
          autoComplete="off"
          isMono
          value={accent}
          onChange={(event) => setAccent(event.currentTarget.value)}
          placeholder="#0b7a4b"
          hint="Of buttons and links. In the dark a brighter shade of it is used where it needs one."
          error={form.errorOf("accent")}
        />
        <Samples typed={accent} />
      </div>
    </div>
  );
}

function PresentLogo({ logo }: { logo: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      {/* As payers see it, on both backgrounds. */}
      {["bg-white", "bg-[#141920]"].map((background) => (
        <span
          key={background}
          className={`size-12 rounded-lg border border-line bg-center bg-no-repeat ${background}`}
          style={{ backgroundImage: `url(data:image/webp;base64,${logo})`, backgroundSize: "2rem" }}
        />
      ))}
      <Choice
        type="checkbox"
        name="isLogoNew"
        label="Fetch it again"
        hint="If the image behind the link has changed."
      />
    </div>
  );
}

/** What becomes of the colour, while it is typed. */
function Samples({ typed }: { typed: string }) {
  const colour = parseHex(typed);
  const accent = colour === null ? null : accentOf(colour);
  if (accent === null) return null;
  if ("problem" in accent) return <p className="text-[0.8125rem] text-warn">{accent.problem}.</p>;
  const samples: [string, string, Shade][] = [
    ["By day", "#ffffff", accent.light],
    ["In the dark", "#141920", accent.dark],
  ];
  return (
    <div className="flex flex-wrap gap-2">
      {samples.map(([text, background, { fill, text: color }]) => (
        <span key={text} className="rounded-lg border border-line p-2.5" style={{ background }}>
          <span className="rounded-lg px-3.5 py-2 font-medium" style={{ background: fill, color }}>
            {text}
          </span>
        </span>
      ))}
    </div>
  );
}
