export declare function quickDirectory(): string;
export declare function openRunFolder(directory?: string): string;
export declare function removeRunFolder(folder: string): void;
export declare function removeAbandoned(): void;
export declare function unmountBelow(folder: string): void;
