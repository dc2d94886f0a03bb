import { QueryClient } from "@tanstack/react-query";

/** Answers of the server that many parts of the page read. Failures are told by the call events, so nothing is retried here. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 60_000 } },
});
