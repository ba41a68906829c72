/** Renders the logo, a gate with a coin in it, and the name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-[0.9375rem] tracking-tight">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 text-accent" fill="none" stroke="currentColor">
        <path d="M4 21V11a8 8 0 0 1 16 0v10" strokeWidth="2.4" strokeLinecap="round" />
        <circle cx="12" cy="13" r="3.4" fill="currentColor" stroke="none" />
        <path d="M2.5 21h19" strokeWidth="2.4" strokeLinecap="round" />
      </svg>
      Stablegate
    </span>
  );
}
