import type { ReactNode } from "react";

export type Provider = "google" | "facebook" | "apple";

/** The providers' logos in their own colours; decorative beside the provider's name. */
export function ProviderIcon({ provider, size = 18 }: { provider: Provider; size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {marks[provider]}
    </svg>
  );
}

const marks: Readonly<Record<Provider, ReactNode>> = {
  google: (
    <>
      <path
        fill="#4285F4"
        d="M22.6 12.2c0-.8-.1-1.5-.2-2.2H12v4.3h5.9a5 5 0 0 1-2.2 3.3v2.8h3.6c2.1-2 3.3-4.8 3.3-8.2z"
      />
      <path
        fill="#34A853"
        d="M12 23c3 0 5.5-1 7.3-2.6l-3.6-2.8c-1 .7-2.2 1.1-3.7 1.1-2.9 0-5.3-1.9-6.2-4.6H2.1v2.9A11 11 0 0 0 12 23z"
      />
      <path fill="#FBBC05" d="M5.8 14.1a6.6 6.6 0 0 1 0-4.2V7H2.1a11 11 0 0 0 0 10z" />
      <path
        fill="#EA4335"
        d="M12 5.4c1.6 0 3 .6 4.2 1.6l3.1-3.1A11 11 0 0 0 2.1 7l3.7 2.900C6.7 7.3 9.1 5.4 12 5.400z"
      />
    </>
  ),
  facebook: (
    <>
      <circle cx="12" cy="12" r="11" fill="#1877F2" />
      <path
        fill="#fff"
        d="M15.8 14.9l.5-3.2h-3.1V9.6c0-.9.4-1.7 1.8-1.7h1.4V5.200s-1.3-.2-2.5-.2c-2.5 0-4.2 1.5-4.2 4.300v2.400H7v3.200h2.700v7.900a11 11 0 0 0 3.5 0v-7.900z"
      />
    </>
  ),
  apple: (
    <path
      fill="currentColor"
      d="M16.7 12.6c0-2.3 1.9-3.4 2-3.5a4.3 4.3 0 0 0-3.4-1.8c-1.4-.2-2.8.8-3.5.8s-1.8-.8-3-.8a4.5 4.5 0 0 0-3.8 2.300c-1.6 2.8-.4 7 1.2 9.3.8 1.1 1.7 2.4 2.9 2.3 1.2 0 1.6-.7 3-.7s1.8.7 3 .7 2-1.1 2.8-2.300c.9-1.3 1.2-2.5 1.3-2.6-.1 0-2.5-1-2.5-3.700zM14.5 5.800A4 4 0 0 0 15.4 3a4.1 4.1 0 0 0-2.7 1.4 3.8 3.8 0 0 0-1 2.700c1 .1 2.1-.5 2.8-1.300z"
    />
  ),
};
