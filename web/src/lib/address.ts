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

/** Where the page is: what stands behind the origin in the address bar. */
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

/** Goes to a path of the app; `replace` leaves no way back to where the page is now. */
export function goTo(path: string, { replace = false }: { replace?: boolean } = {}): void {
  const { pathname, search, hash } = currentAddress();
  // As browsers do with a link to the page itself.
  if (replace || path === pathname + search + hash) window.history.replaceState(null, "", path);
  else window.history.pushState(null, "", path);
  for (const listener of listeners) listener();
}

/**
 * Lets the parts inside follow the address bar. A change is a transition: the page stays while the next one is on its
 * way. `pathname` is given where there is no address bar, as in the build.
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
    // A part inside may have gone elsewhere before this effect ran.
    follow();
    return () => {
      listeners.delete(follow);
      window.removeEventListener("popstate", follow);
    };
  }, []);
  return createElement(AddressContext, { value: address }, props.children);
};

/** Where the page is; the component follows it. */
export function useAddress(): Address {
  return use(AddressContext);
}
