package import GatewayCore

/// A device's listener just connected.
package struct DeviceSubscription: Sendable {
    package let id: UInt64
    /// What it is sent first.
    package let resumption: Resumption
    /// What it is sent after that.
    package let items: AsyncStream<DeviceFeed.Item>
}
