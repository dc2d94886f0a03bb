import { serveProduct } from "./served-product.ts";
import { LoadPerson } from "./load-person.ts";
const product = await serveProduct({ environment:{RATE_LIMIT_FACTOR:"1000000"}});
const N=60;
const ps:LoadPerson[]=[];const t0=performance.now();const log=(...a:any[])=>console.log((performance.now()-t0).toFixed(0),...a);
const st=new Map<LoadPerson,string>();let n=0;
const set=(x:LoadPerson,s:string)=>st.set(x,s);
for(let i=0;i<N;i++){const p=new LoadPerson(new URL(product.url),{matched:(x)=>set(x,"matched"),talked:(x,o)=>{set(x,"talked");if(o){n++;x.pressStart();set(x,"pressed")}},left:(x)=>{x.pressStart();set(x,"pressed-left")},failed:(w)=>log("failed",w)});ps.push(p);await p.signIn("P"+i,1);await p.connect();}
log("go");for(const p of ps){p.pressStart();set(p,"pressed")}
for(let k=0;k<12;k++){await new Promise(r=>setTimeout(r,1000));const c:any={};for(const s of st.values())c[s]=(c[s]??0)+1;log(n,JSON.stringify(c), (await (await fetch(product.url+"/metrics")).text()).match(/fava_people_searching \d+/)?.[0])}
for (const p of ps) p.dispose();
await product[Symbol.asyncDispose]();process.exit(0)
