export declare function installMissing(names: readonly string[]): string[];
