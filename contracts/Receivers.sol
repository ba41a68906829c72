// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What every receiver does: whoever asks, all it has goes to the treasury whose address is the end of its own code.
/// It keeps no state, and nothing else can be asked of it.
contract Receiver {
    /// Of one call of a token: what burns more stops itself alone, not what is swept beside it.
    uint256 private constant CALL_GAS = 300_000;
    address private immutable self = address(this);

    error NotAReceiver();

    receive() external payable {}

    /// Sends all of each token to the treasury; address 0 stands for the chain's own coin. What cannot be sent stays.
    function sweep(address[] calldata tokens) external {
        if (address(this) == self) revert NotAReceiver();
        address treasury;
        assembly {
            extcodecopy(address(), 0, 45, 20)
            treasury := shr(96, mload(0))
        }
        for (uint256 i = 0; i < tokens.length; i++) {
            if (tokens[i] == address(0)) sendCoin(treasury);
            else sendToken(tokens[i], treasury);
        }
    }

    function sendCoin(address treasury) private {
        uint256 amount = address(this).balance;
        // No more of an answer is read than is asked for: a long one would cost whoever sweeps.
        assembly {
            if amount { pop(call(CALL_GAS, treasury, amount, 0, 0, 0, 0)) }
        }
    }

    function sendToken(address token, address treasury) private {
        assembly ("memory-safe") {
            let data := mload(64)
            mstore(data, shl(224, 0x70a08231)) // balanceOf(address)
            mstore(add(data, 4), address())
            let isTold := staticcall(CALL_GAS, token, data, 36, 0, 32)
            let amount := mul(mload(0), and(isTold, gt(returndatasize(), 31)))
            if amount {
                mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
                mstore(add(data, 4), treasury)
                mstore(add(data, 36), amount)
                pop(call(CALL_GAS, token, 0, data, 68, 0, 0))
            }
        }
    }
}

/// Puts receivers where (this factory, treasury, salt) say, and sweeps them. Nobody owns it, and it holds nothing.
contract ReceiverFactory {
    address public immutable implementation = address(new Receiver());

    error NoTreasury();

    /// Where the receiver of a treasury is, whether or not it is there yet.
    function addressOf(address treasury, bytes32 salt) external view returns (address) {
        return placeOf(keccak256(creationCode(treasury)), salt);
    }

    /// Puts the receivers there that are not, and sweeps all; one that fails changes nothing for the others.
    function deployAndSweep(address treasury, bytes32[] calldata salts, address[] calldata tokens) external {
        if (treasury == address(0)) revert NoTreasury();
        bytes memory code = creationCode(treasury);
        bytes memory sweep = abi.encodeCall(Receiver.sweep, (tokens));
        bytes32 codeHash = keccak256(code);
        for (uint256 i = 0; i < salts.length; i++) {
            address receiver = placeOf(codeHash, salts[i]);
            bytes32 salt = salts[i];
            assembly {
                if iszero(extcodesize(receiver)) { pop(create2(0, add(code, 32), mload(code), salt)) }
                pop(call(gas(), receiver, 0, add(sweep, 32), mload(sweep), 0, 0))
            }
        }
    }

    function placeOf(bytes32 codeHash, bytes32 salt) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, codeHash)))));
    }

    /// The minimal clone of EIP-1167, with the treasury behind its code.
    function creationCode(address treasury) private view returns (bytes memory) {
        bytes memory head = hex"6100413d81600a3d39f3363d3d373d3d3d363d73";
        return abi.encodePacked(head, implementation, hex"5af43d82803e903d91602b57fd5bf3", treasury);
    }
}
