import { fork } from "node:child_process";
import { serveProduct, stopChild } from "./served-product.ts";
import { cpuUse } from "./process-tree.ts";
const prof=process.env.BENCH_PROFILE_DIR;
const people=Number(process.argv[2]??60), secs=Number(process.argv[3]??10), rate=Number(process.argv[4]??0);
const product = await serveProduct({ program:[...(prof?["--cpu-prof",`--cpu-prof-dir=${prof}`]:[]),"--import","tsx","server/src/main.ts"], environment:{RATE_LIMIT_FACTOR:"1000000"}});
const load=fork("bench/load.ts",{execArgv:["--import","tsx"]});
const obey=(o:any,began?:()=>void)=>new Promise<any>(r=>{const f=(m:any)=>{if(m.type==="began")return began?.();load.off("message",f);r(m.figures)};load.on("message",f);load.send(o)});
let t=performance.now();
await obey({type:"sign-in",url:product.url,people});console.log("sign-in",((performance.now()-t)/people).toFixed(1),"ms each");
await obey({type:"connect"});
let b:any,l:any;
const warm=Number(process.env.WARM??5);
const mark=()=>{b=cpuUse(product.pid);l=cpuUse(load.pid!)};
if(rate){await obey({type:"rate",perSecond:rate,seconds:3});mark();}
const f=rate?await obey({type:"rate",perSecond:rate,seconds:secs}):await obey({type:"saturate",warmUpSeconds:warm,seconds:secs},mark);
const a=cpuUse(product.pid)!,e=cpuUse(load.pid!)!;
const n=f.fullMatches;
console.log({perSecond:n/f.seconds,serverUs:(a.ownMs-b.ownMs)*1000/n,dbUs:(a.childrenMs-b.childrenMs)*1000/n,loadUs:(e.ownMs-l.ownMs)*1000/n,failures:f.failures});
if(rate){const s=f.matchedMs.sort((x:number,y:number)=>x-y);console.log({n:s.length,p50:s[s.length>>1],p99:s[Math.floor(s.length*.99)]})}
await stopChild(load);await product[Symbol.asyncDispose]();
