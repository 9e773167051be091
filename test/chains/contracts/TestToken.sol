// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// The least that a token must be for the venue to move it: ERC-20 without allowances. Whoever deploys it holds all of it.
contract TestToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public immutable decimals;
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    /// Transfers to this account fail, as a frozen account of a real token would.
    address public frozen;

    constructor(uint8 decimals_, uint256 supply) {
        decimals = decimals_;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function freeze(address account) external {
        frozen = account;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(to != frozen, "frozen");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
