export declare function prepare(): boolean;
export declare function serverProgram(tree?: string): string;
