import CTimex
import Doctor

extension KernelClock {
    /// What the kernel of this machine says; nil where it says nothing, as in some sandboxes.
    static func read() -> KernelClock? {
        var isSynchronized: Int32 = 0
        var maximumError: Int64 = 0
        guard CTimex_read(&isSynchronized, &maximumError) == 0 else { return nil }
        return KernelClock(isSynchronized: isSynchronized == 1, maximumError: maximumError)
    }
}
