declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, as its superuser. */
    databaseUrl: string;
  }
}

/** Migrated once for the run; every test file gets a copy. */
export const templateDatabase = "template_fava";
