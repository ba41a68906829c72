// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A stablecoin for the sandbox: an ERC-20 as USDT and USDC behave, except that anyone may mint.
/// There is no constructor: its code is put at the real contract address and slots 0 to 2 are written by hand.
contract TestToken {
    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    /// The freeze list, under the names that USDT and USDC use. It blocks no transfer.
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function isBlacklisted(address account) external view returns (bool) {
        return isBlackListed[account];
    }

    function setBlackListed(address account, bool isListed) external {
        isBlackListed[account] = isListed;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "TestToken: allowance too low");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    /// Pays several people in one transaction, as exchanges do.
    function batch(address[] calldata to, uint256[] calldata values) external {
        require(to.length == values.length, "TestToken: as many values as recipients");
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], values[i]);
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "TestToken: balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
