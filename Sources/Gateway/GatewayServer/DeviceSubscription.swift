import GatewayCore

/// A device's listener just connected.
struct DeviceSubscription: Sendable {
    let id: UInt64
    /// What it is sent first.
    let resumption: Resumption
    /// What it is sent after that.
    let items: AsyncStream<DeviceFeed.Item>
}
