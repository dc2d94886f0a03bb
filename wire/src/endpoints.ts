import { beanCap, beanStatement, beanWallet } from "./endpoints/beans.ts";
import { countryList, getLanguage } from "./endpoints/country.ts";
import { matchInfo, matchInfoUpdate, matchStart, matchStop, startVideo, testRoomSign } from "./endpoints/match.ts";
import { active, getUserId, myInfo, userInfo, userUpdate } from "./endpoints/profile.ts";
import { login, loginPrepare, logout } from "./endpoints/session.ts";
import {
  adminOrderResolve,
  adminPackAdd,
  adminPackRemove,
  adminPricesUpdate,
  adminShopInfo,
  orderStatus,
  orderWithdraw,
  rechargeToken,
} from "./endpoints/shop.ts";

/** Every call of the product by name. A handler table that lacks one does not compile. */
export const endpoints = {
  loginPrepare,
  login,
  logout,
  myInfo,
  userInfo,
  userUpdate,
  getUserId,
  active,
  matchStart,
  matchStop,
  matchInfo,
  matchInfoUpdate,
  startVideo,
  testRoomSign,
  countryList,
  getLanguage,
  beanWallet,
  beanCap,
  beanStatement,
  rechargeToken,
  orderStatus,
  orderWithdraw,
  adminShopInfo,
  adminPricesUpdate,
  adminPackAdd,
  adminPackRemove,
  adminOrderResolve,
} as const;

export type Endpoints = typeof endpoints;
