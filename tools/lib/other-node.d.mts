export declare const otherVersion: string;
export declare function otherNode(folder: string): string | null;
