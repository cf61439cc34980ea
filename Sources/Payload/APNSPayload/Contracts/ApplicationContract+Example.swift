import APNSModel

extension ApplicationContract {
    /// The contract that the examples of rules use.
    package static let example = ApplicationContract(
        name: "ORDER_READY", match: .value("ORDER_READY", ofKey: "type"),
        keys: [
            ContractKey("orderId", .string(.uuid)), ContractKey("total", .number(0...1_000_000), isRequired: false),
            ContractKey("code", .string(length: 1...8), isRequired: false),
            ContractKey("/shop/id", .integer(), isRequired: false),
        ], allowsOtherKeys: false, forbiddenKeys: [ForbiddenKey("customerName", reason: "personal data")],
        visibility: .visible, maximumBytes: 512)
}

extension Example {
    /// A payload of the example contract, with these custom keys after `type`.
    static func order(
        _ keys: String, aps: String = #"{"alert":"Your order is ready"}"#, type: String = "ORDER_READY"
    ) -> Example {
        Example(
            #"{"aps":\#(aps),"type":"\#(type)"\#(keys.isEmpty ? "" : ",")\#(keys)}"#, .alert,
            contracts: [.example])
    }

    /// A payload of the example contract with an order id.
    static func orderWithID(_ keys: String = "", aps: String = #"{"alert":"Your order is ready"}"#) -> Example {
        order(
            #""orderId":"9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607""# + (keys.isEmpty ? "" : ",") + keys, aps: aps)
    }
}
