import {
  createContext,
  createElement,
  startTransition,
  use,
  useEffect,
  useState,
  type FunctionComponent,
  type ReactNode,
} from "react";

/** The part of the address bar after the origin. */
export interface Address {
  readonly pathname: string;
  /** Empty, or with its `?`. */
  readonly search: string;
  /** Empty, or with its `#`. */
  readonly hash: string;
}

const home: Address = { pathname: "/", search: "", hash: "" };
const AddressContext = createContext<Address>(home);
const listeners = new Set<() => void>();

function currentAddress(): Address {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash };
}

function isSame(one: Address, other: Address): boolean {
  return one.pathname === other.pathname && one.search === other.search && one.hash === other.hash;
}

/** Navigates to a path of the app; `replace` replaces the history entry of the current page. */
export function goTo(path: string, { replace = false }: { replace?: boolean } = {}): void {
  const { pathname, search, hash } = currentAddress();
  // A link to the current page adds no history entry, as in browsers.
  if (replace || path === pathname + search + hash) window.history.replaceState(null, "", path);
  else window.history.pushState(null, "", path);
  for (const listener of listeners) listener();
}

/**
 * Provides the address to the parts inside. A change is a transition: the page stays until the next one is ready. Pass
 * `pathname` where there is no address bar, as in the build.
 */
export const AddressProvider: FunctionComponent<{ pathname?: string; children: ReactNode }> = (props) => {
  const [address, setAddress] = useState<Address>(() =>
    props.pathname === undefined ? currentAddress() : { ...home, pathname: props.pathname },
  );
  useEffect(() => {
    const follow = () => {
      const now = currentAddress();
      startTransition(() => setAddress((before) => (isSame(before, now) ? before : now)));
    };
    listeners.add(follow);
    window.addEventListener("popstate", follow);
    // A component inside may have navigated before this effect ran.
    follow();
    return () => {
      listeners.delete(follow);
      window.removeEventListener("popstate", follow);
    };
  }, []);
  return createElement(AddressContext, { value: address }, props.children);
};

/** The current address; the component follows it. */
export function useAddress(): Address {
  return use(AddressContext);
}
