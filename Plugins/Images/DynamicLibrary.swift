import Foundation

/// A library that is loaded with the first use of one of its functions. A program that writes no image does not need it.
struct DynamicLibrary {
    private let handle: SendableHandle?
    /// The Debian package of the library.
    private let package: String

    // Unchecked: the handle of a library that stays loaded is valid on all threads.
    private struct SendableHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    init(_ name: String, package: String) {
        handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL).map { SendableHandle(pointer: $0) }
        self.package = package
    }

    /// Returns a function of the library.
    ///
    /// - Parameter type: the type of the C function.
    func function<Function>(_ name: String, as type: Function.Type) throws(ImageError) -> Function {
        guard let handle, let address = dlsym(handle.pointer, name) else { throw .libraryMissing(package: package) }
        return unsafeBitCast(address, to: type)
    }
}
