import GatewayCore

/// A request that can be judged: it has come in whole, or is too long whatever else comes.
struct CompleteRequest: Sendable {
    var streamID: Int32 = 0
    var head = RequestHead()
    /// At most `World.maximumBodyBytes` of it.
    var body: [UInt8] = []
    /// How many more came.
    var omittedBytes = 0
}
