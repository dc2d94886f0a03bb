/** Folder of the repository. */
export declare const root: string;
export declare const serverWords: readonly string[];
export declare function prepare(): boolean;
export declare function serverProgram(tree?: string): string;
export declare function testProgram(path: string): string;
