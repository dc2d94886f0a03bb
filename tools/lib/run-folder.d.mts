export declare function openRunFolder(): string;
export declare function removeRunFolder(folder: string): void;
export declare function removeAbandoned(): void;
