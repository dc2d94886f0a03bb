import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { goTo } from "#lib/address.ts";

/** A link to a path of the app, which opens without a page load. */
export function Link(props: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">): ReactNode {
  const { to, onClick, children, ...rest } = props;
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    // With a modifier or another button the user asks the browser for a new tab, a download or its menu.
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a {...rest} href={to} onClick={click}>
      {children}
    </a>
  );
}
