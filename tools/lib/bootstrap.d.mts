export declare function prepare(): boolean;
