// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token as bad as its mode says. Only tests deploy it.
contract HostileToken {
    enum Mode { Plain, ReturnsNothing, ReturnsFalse, TakesFee, Reverts, BurnsGas, LongAnswer, LiesOfPlenty, CallsBack, ShortAnswer }

    Mode public mode;
    mapping(address => uint256) public balances;
    address public target;
    bytes public payload;

    constructor(Mode how) { mode = how; }

    function mint(address to, uint256 value) external { balances[to] += value; }

    function aim(address who, bytes calldata data) external { target = who; payload = data; }

    function balanceOf(address owner) external view returns (uint256) {
        if (mode == Mode.BurnsGas) { while (true) {} }
        if (mode == Mode.LongAnswer) assembly { return(0, 100000) }
        if (mode == Mode.ShortAnswer) assembly { mstore(0, not(0)) return(0, 31) }
        if (mode == Mode.LiesOfPlenty) return type(uint256).max;
        return balances[owner];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (mode == Mode.Reverts) revert("blacklisted");
        if (mode == Mode.ReturnsFalse) return false;
        if (mode == Mode.CallsBack) { (bool done,) = target.call(payload); done; }
        balances[msg.sender] -= value;
        balances[to] += mode == Mode.TakesFee ? value - value / 100 : value;
        if (mode == Mode.ReturnsNothing) assembly { return(0, 0) }
        return true;
    }
}
