/** Folder of the repository. */
export declare const root: string;
export declare function prepare(): boolean;
export declare function serverProgram(tree?: string): string;
